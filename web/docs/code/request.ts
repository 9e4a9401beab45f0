/** A request of the API as the documentation shows it. */
export interface ShownRequest {
  method: "GET" | "POST" | "PUT";
  /** With the query. */
  path: string;
  body?: unknown;
}
