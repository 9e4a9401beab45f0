import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { SegmentForm } from "../../../../../_authoring/screens/segment-form.tsx";

export const generateMetadata = editMetadata("segments");

export default editDefinitionPage("segments", SegmentForm);
