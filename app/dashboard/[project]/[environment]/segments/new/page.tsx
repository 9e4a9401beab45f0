import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { SegmentForm } from "../../../../../_authoring/screens/segment-form.tsx";

export const metadata = newMetadata("segments");

export default newDefinitionPage("segments", SegmentForm);
