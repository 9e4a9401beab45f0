import { newDefinitionPage, newMetadata } from "../../../../../authoring/form/definition-page.tsx";
import { MetricForm } from "../../../../../authoring/screens/data-forms.tsx";

export const metadata = newMetadata("metrics");

export default newDefinitionPage("metrics", MetricForm);
