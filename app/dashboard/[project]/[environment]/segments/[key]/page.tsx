import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { SegmentForm } from "../../../../../authoring/screens/segment-form.tsx";

export const generateMetadata = editMetadata("segments");

export default editDefinitionPage("segments", SegmentForm);
