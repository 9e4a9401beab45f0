import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { EventForm } from "../../../../../authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("events");

export default editDefinitionPage("events", EventForm);
