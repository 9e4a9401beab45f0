"use client";

import { ImageOff, ImagePlus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { PlaceGroup, Spot } from "../form/place.tsx";
import { ImageUpload, isUploaded, shownImage } from "./image-upload.tsx";

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
    <PlaceGroup at={["images"]} label="Images" optional isDeep={false} hint="Your app picks an image by its type.">
      <div className="flex flex-col gap-2">
        {slots.map((slot) => (
          <Spot key={slot} at={["images", slot]}>
            <div className="flex items-center gap-2">
              <Preview image={images[slot] ?? ""} />
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
              <IconButton label={`Remove the image for ${slot}`} icon={<Trash2 aria-hidden />} onClick={() => remove(slot)} />
            </div>
          </Spot>
        ))}
        {!isReadOnly && <AddSlot taken={slots} onAdd={(slot) => put(slot, "")} />}
      </div>
    </PlaceGroup>
  );
}

function Preview({ image }: { image: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  const address = shownImage(image);
  // An image that failed before hydration fired no event.
  const look = (element: HTMLImageElement | null) => {
    if (element?.complete && element.naturalWidth === 0 && address !== broken) setBroken(address);
  };
  return (
    <span className="flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-sunken text-faint">
      {address === null || broken === address ? (
        <ImageOff className="size-4" aria-hidden />
      ) : (
        // External pictures of unknown size: there is nothing to optimise ahead of time.
        <img ref={look} src={address} alt="" className="size-full object-cover" onError={() => setBroken(address)} />
      )}
    </span>
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
        <Button key={slot} size="sm" icon={<ImagePlus aria-hidden />} onClick={() => onAdd(slot)}>
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
