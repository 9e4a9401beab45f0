import { definitionsMetadata, definitionsPage } from "../../../../_lists/definitions-page.tsx";

export const metadata = definitionsMetadata("exchangeRates");
export default definitionsPage("exchangeRates");
