/** Type names in the forms' words. */
export const TYPES: Record<string, string> = {
  String: "text",
  Number: "number",
  Boolean: "yes or no",
  DateTime: "date and time",
  Collection: "list of texts",
};

export const typeName = (type: string): string => TYPES[type] ?? type;
