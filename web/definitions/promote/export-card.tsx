"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { ENVIRONMENT_NAMES } from "../../components/environment-badge.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { Card } from "../../components/surface.tsx";
import { fileHref, saveFrom } from "../../client/export-href.ts";
import { useWhere } from "../../client/where.tsx";

/** Exports the environment's definitions as one file, for a repository, a backup or another project. */
export function ExportCard() {
  const { scope, environment } = useWhere();
  const [withImages, setWithImages] = useState(false);
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
          onClick={() => void saveFrom(fileHref(scope, "definitions.json", { images: String(withImages) }))}
        >
          Download file
        </Button>
      </div>
    </Card>
  );
}
