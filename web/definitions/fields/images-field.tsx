import { ImageOff, ImagePlus, ImageUp, Trash2 } from "lucide-react";
import { type DragEvent, useState } from "react";
import { IMAGE_ID } from "#server/model/kernel/texts.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { FormFieldGroup, InlineField } from "../form/form-field.tsx";
import { Thumbnail } from "../list/thumbnail.tsx";
import { orpc, rpc, useRead, useWhere } from "../../client/service.tsx";
import { FileButton } from "../../components/file-button.tsx";
import { cx } from "../../components/classes.ts";
import { Dialog } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";
import { sentenceOf } from "../document/form-words.ts";

/** Common slots; any other name works. */
const USUAL = ["icon", "badge", "banner"];

/** Pictures by slot: an upload or an external URL. */
export function ImagesField() {
  const { isReadOnly } = useAuthoring();
  const [images, setImages] = useMember<Record<string, string>>("images");
  const slots = Object.keys(images);
  const put = (slot: string, image: string) => setImages({ ...images, [slot]: image });
  const remove = (slot: string) => setImages(Object.fromEntries(Object.entries(images).filter(([name]) => name !== slot)));
  return (
    <FormFieldGroup at={["images"]} label="Images" optional isDeep={false} hint="Your app picks an image by its type.">
      <div className="flex flex-col gap-2">
        {slots.map((slot) => (
          <InlineField key={slot} at={["images", slot]}>
            <div className="flex items-center gap-2">
              <Thumbnail image={shownImage(images[slot] ?? "")} name={slot} fallback={<ImageOff className="size-4" />} />
              <span className="w-16 shrink-0 truncate text-[0.8125rem] sm:w-24" title={slot}>
                {slot}
              </span>
              {isUploaded(images[slot] ?? "") ? (
                <span className="min-w-0 flex-1 truncate text-quiet">Uploaded image</span>
              ) : (
                <TextInput
                  type="url"
                  aria-label={`URL of the image for ${slot}`}
                  placeholder="https://…, or upload one"
                  value={images[slot] ?? ""}
                  onValueChange={(image) => put(slot, image.trim())}
                />
              )}
              <ImageUpload slot={slot} onChosen={(image) => put(slot, image)} />
              <IconButton label={`Remove the image for ${slot}`} icon={<Trash2 />} onClick={() => remove(slot)} />
            </div>
          </InlineField>
        ))}
        {!isReadOnly && <AddSlot taken={slots} onAdd={(slot) => put(slot, "")} />}
      </div>
    </FormFieldGroup>
  );
}

function AddSlot({ taken, onAdd }: { taken: readonly string[]; onAdd(slot: string): void }) {
  const [name, setName] = useState<string | null>(null);
  const free = USUAL.filter((slot) => !taken.includes(slot));
  const add = () => {
    const slot = (name ?? "").trim();
    if (slot === "" || taken.includes(slot)) return;
    onAdd(slot);
    setName(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {free.map((slot) => (
        <Button key={slot} size="sm" icon={<ImagePlus />} onClick={() => onAdd(slot)}>
          {slot}
        </Button>
      ))}
      {name === null ? (
        <Button size="sm" variant="ghost" onClick={() => setName("")}>
          Add image type…
        </Button>
      ) : (
        <span className="flex items-center gap-1.5">
          <TextInput
            autoFocus
            aria-label="Image type"
            placeholder="Image type"
            maxLength={100}
            value={name}
            onValueChange={setName}
            onKeyDown={(event) => event.key === "Enter" && add()}
            className="h-7 w-40"
          />
          <Button size="sm" onClick={add} disabled={name.trim() === "" || taken.includes(name.trim())}>
            Add
          </Button>
        </span>
      )}
    </div>
  );
}

const isUploaded = (image: string): boolean => IMAGE_ID.test(image);

/** The URL of a picture: external, or ours for an upload; null for none. */
function shownImage(image: string): string | null {
  if (isUploaded(image)) return `/images/${image}`;
  return /^https?:\/\/\S+$/i.test(image) ? image : null;
}

const MAX = 1024 * 1024;
const TYPES = "image/png,image/jpeg,image/webp,image/svg+xml";

/** Uploads a picture from disk, or reuses one of the project's. */
function ImageUpload({ slot, onChosen }: { slot: string; onChosen(image: string): void }) {
  const [isOpen, setOpen] = useState(false);
  const [isPending, setPending] = useState(false);
  const choose = (image: string) => {
    onChosen(image);
    setOpen(false);
  };
  return (
    <>
      <IconButton label={`Upload an image for ${slot}`} icon={<ImageUp />} onClick={() => setOpen(true)} />
      <Dialog open={isOpen} onOpenChange={setOpen} isPending={isPending} title={`Image for ${slot}`}>
        <div className="flex flex-col gap-4">
          <Upload onUploaded={choose} isPending={isPending} onPendingChange={setPending} />
          <Earlier onChosen={choose} />
        </div>
      </Dialog>
    </>
  );
}

interface UploadProps {
  onUploaded(image: string): void;
  isPending: boolean;
  onPendingChange(isPending: boolean): void;
}

function Upload({ onUploaded, isPending, onPendingChange }: UploadProps) {
  const { scope } = useWhere();
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const upload = async (file: File) => {
    if (file.size > MAX) return setProblem(`${file.name} is ${Math.ceil((file.size / MAX) * 10) / 10} MiB. The limit is 1 MiB.`);
    setProblem(null);
    onPendingChange(true);
    try {
      const { problems, image } = await rpc.definitions.uploadImage({ ...scope, bytes: await base64Of(file) });
      if (image !== null) return onUploaded(image.id);
      setProblem(problems.map(sentenceOf).join(" "));
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      onPendingChange(false);
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) void upload(file);
  };
  return (
    <>
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cx(
          "flex flex-col items-center gap-2 rounded-lg border border-dashed border-line-strong px-4 py-8 text-center",
          isOver && "border-accent bg-accent-soft",
        )}
      >
        <FileButton label="Image file" accept={TYPES} icon={<ImageUp />} isPending={isPending} onChoose={upload}>
          Choose a file
        </FileButton>
        <p className="text-xs text-quiet">or drop one here: PNG, JPEG, WebP or SVG, at most 1 MiB</p>
      </div>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </>
  );
}

/** The picture's bytes as text. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
    reader.readAsDataURL(file);
  });

/** The project's existing pictures. */
function Earlier({ onChosen }: { onChosen(image: string): void }) {
  const { data } = useRead(orpc.definitions.images);
  if (data === undefined || data.images.length === 0) return null;
  return (
    <div>
      <h3 className="mb-2 text-[0.8125rem] font-medium">Uploaded images</h3>
      <ul className="grid grid-cols-5 gap-2 sm:grid-cols-6">
        {data.images.map(({ id }, at) => (
          <li key={id}>
            <button
              type="button"
              aria-label={`Use image ${at + 1} of the uploaded images`}
              onClick={() => onChosen(id)}
              className="flex aspect-square w-full items-center justify-center overflow-hidden rounded-lg border border-line bg-raised hover:border-accent"
            >
              <img src={`/images/${id}`} alt="" loading="lazy" className="size-full object-contain" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
