import { type QueryKey, useMutation } from "@tanstack/react-query";
import { type Problem, problemOf } from "./problems.tsx";
import { useToast } from "./toast.tsx";

/** The state of a form's save. */
export interface Save {
  isPending: boolean;
  /** By the pointers of their fields. A failed call is a problem of the whole form, at "". */
  problems: readonly Problem[];
  submit(): void;
  clear(): void;
}

interface Options {
  /** Queries to read again. */
  touches?: readonly QueryKey[];
  /** The title of the toast after a save without problems. */
  done?: string;
}

/** Saves a form; `run` returns the problems of its fields, if there are any. */
export function useSave({ touches, done }: Options, run: () => Promise<readonly Problem[] | void>): Save {
  const toast = useToast();
  const { mutate, data, error, isPending, reset } = useMutation({
    async mutationFn() {
      const problems = (await run()) ?? [];
      if (done !== undefined && problems.length === 0) toast({ title: done });
      return problems;
    },
    meta: { touches },
  });
  const problems = error === null ? (data ?? []) : [{ pointer: "", message: problemOf(error) }];
  return { isPending, problems, submit: () => mutate(), clear: reset };
}
