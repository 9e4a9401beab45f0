import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { EventForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const metadata = newMetadata("events");

export default newDefinitionPage("events", EventForm);
