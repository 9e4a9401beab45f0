import { editDefinitionPage, editMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { MetricForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("metrics");

export default editDefinitionPage("metrics", MetricForm);
