"use client";

import type { Problem } from "../document/pointers.ts";
import { asLine } from "../document/problems.ts";
import { ProblemList } from "../../components/problems.tsx";

/** What has to be put right in the form before the definition can be tried. */
export const NotYet = ({ problems }: { problems: readonly Problem[] }) => (
  <ProblemList
    problems={problems.map((problem) => ({ pointer: "", message: asLine(problem) }))}
    title={problems.length === 1 ? "Fix this problem in the form first" : "Fix these problems in the form first"}
  />
);
