"use client";

import type { Problem } from "../document/pointers.ts";
import { asLine } from "../document/problems.ts";
import { ProblemList } from "../../components/problems.tsx";

/** Problems to fix in the form before a trial. */
export const NotYet = ({ problems }: { problems: readonly Problem[] }) => (
  <ProblemList
    problems={problems.map((problem) => ({ pointer: "", message: asLine(problem) }))}
    title={problems.length === 1 ? "Fix this problem in the form first" : "Fix these problems in the form first"}
  />
);
