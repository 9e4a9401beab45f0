/** A place in a document: the members that lead to it. */
export type Path = readonly (string | number)[];
