import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { EventForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("events");

export default editDefinitionPage("events", EventForm);
