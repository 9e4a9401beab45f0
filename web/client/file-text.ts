/** Why a chosen file cannot be read as text, in words; null if it can. Decoded leniently, "Café" would be imported as "Caf�". */
export async function encodingRefusal(file: File): Promise<string | null> {
  try {
    const text = file.stream().pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
    await text.pipeTo(new WritableStream());
    return null;
  } catch (error) {
    if (!(error instanceof TypeError)) return `${file.name} could not be read. Choose it again.`;
    return `${file.name} is not UTF-8 text. Save it as UTF-8, in Excel as “CSV UTF-8”, and choose it again.`;
  }
}
