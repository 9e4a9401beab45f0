import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { EventForm } from "../../../../../authoring/screens/data-forms.tsx";

export const metadata = newMetadata("events");

export default newDefinitionPage("events", EventForm);
