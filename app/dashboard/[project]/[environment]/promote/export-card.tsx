"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { ENVIRONMENT_NAMES } from "../../../../_components/environment-badge.tsx";
import { Button } from "../../../../_components/button.tsx";
import { Checkbox } from "../../../../_components/choice.tsx";
import { problemOf } from "../../../../_components/problems.tsx";
import { Card } from "../../../../_components/surface.tsx";
import { useToast } from "../../../../_components/toast.tsx";
import { orpc } from "../../../../_client/rpc.ts";
import { useWhere } from "../../../../_client/where.tsx";

/** Everything the environment defines as one file, for a repository, a backup or another project. */
export function ExportCard() {
  const { scope, environment } = useWhere();
  const toast = useToast();
  const [withImages, setWithImages] = useState(false);
  const download = useMutation({
    ...orpc.definitions.exportFile.mutationOptions(),
    onSuccess: ({ name, text }) => save(name, text),
    onError: (error) => toast({ title: "The export failed", description: problemOf(error), tone: "bad" }),
  });
  return (
    <Card
      title="Export"
      description={`All definitions of ${ENVIRONMENT_NAMES[environment]} as one JSON file: to review in git, to back up, or for another project.`}
    >
      <div className="flex flex-col items-start gap-4">
        <Checkbox
          checked={withImages}
          onCheckedChange={setWithImages}
          label="Include uploaded images"
          hint="Needed if you import into another project."
        />
        <Button
          icon={<Download aria-hidden />}
          isPending={download.isPending}
          onClick={() => download.mutate({ ...scope, images: withImages })}
        >
          Download file
        </Button>
      </div>
    </Card>
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
