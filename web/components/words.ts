/** With its first letter as a sentence has it: "mission" is "Mission". */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
