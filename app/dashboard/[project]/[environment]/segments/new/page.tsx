import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { SegmentForm } from "../../../../../authoring/screens/segment-form.tsx";

export const metadata = newMetadata("segments");

export default newDefinitionPage("segments", SegmentForm);
