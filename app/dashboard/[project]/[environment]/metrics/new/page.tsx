import { newDefinitionPage, newMetadata } from "../../../../../_authoring/form/definition-page.tsx";
import { MetricForm } from "../../../../../_authoring/screens/data-forms.tsx";

export const metadata = newMetadata("metrics");

export default newDefinitionPage("metrics", MetricForm);
