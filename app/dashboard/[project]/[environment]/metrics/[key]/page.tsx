import { editDefinitionPage, editMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { MetricForm } from "../../../../../authoring/screens/data-forms.tsx";

export const generateMetadata = editMetadata("metrics");

export default editDefinitionPage("metrics", MetricForm);
