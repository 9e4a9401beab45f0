import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A stand-in for a base image, since none can be fetched. */
export interface BaseImage {
  /** Whether this machine's files are its lowest layer; they are never written. */
  isOnHost: boolean;
  /** Adds the image's other files to an empty root. */
  fill(root: string): void;
}

/** The names of the libraries of the image distroless/cc, which has no programs. */
const LIBRARIES = ["ld-linux", "libc", "libm", "libdl", "libpthread", "librt", "libresolv", "libnss_dns", "libnss_files", "libgcc_s"];
const CC_LIBRARIES = [...LIBRARIES, "libstdc++", "libgomp"];

/** The stand-in for a base image. Throws if there is none for it. */
export function baseImage(name: string): BaseImage {
  const [, version] = /^node:(\d+\.\d+\.\d+)-\w+-slim$/.exec(name) ?? [];
  if (version !== undefined) return nodeOnHost(version);
  if (/^gcr\.io\/distroless\/cc-debian\d+:nonroot$/.test(name)) return { isOnHost: false, fill: fillDistroless };
  throw new Error(`no stand-in is known for the base image ${name}`);
}

/** An image with this version of Node.js and npm; everything else is this machine's. */
const nodeOnHost = (version: string): BaseImage => ({
  isOnHost: true,
  fill(root) {
    if (process.versions.node !== version) throw new Error(`the image needs Node.js ${version}; this is ${process.versions.node}`);
    const bin = join(root, "usr/local/bin");
    mkdirSync(bin, { recursive: true });
    cpSync(process.execPath, join(bin, "node"));
    const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
    symlinkSync(realpathSync(npm), join(bin, "npm"));
    mkdirSync(join(root, "etc"));
    for (const file of ["etc/resolv.conf", "etc/hosts"]) cpSync(`/${file}`, join(root, file), { dereference: true });
  },
});

function fillDistroless(root: string): void {
  const folders = ["dev", "etc", "home/nonroot", "proc", "root", "run", "sys", "tmp", "usr/bin", "usr/lib", "usr/share", "var"];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ["bin", "lib", "lib64"]) mkdirSync(join(root, "usr", folder), { recursive: true });
  for (const folder of ["bin", "lib", "lib64"]) symlinkSync(`usr/${folder}`, join(root, folder));
  for (const [path, library] of sharedLibraries()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(library, join(root, path), { dereference: true });
  }
  writeFileSync(
    join(root, "etc/passwd"),
    "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
  );
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnonroot:x:65532:\n");
  // A program names its loader by one of these paths.
  const loaders = ["lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1"];
  for (const path of [
    ...loaders,
    "etc/ssl/certs/ca-certificates.crt",
    "etc/nsswitch.conf",
    "etc/hosts",
    "etc/resolv.conf",
    "usr/share/zoneinfo",
  ]) {
    if (existsSync(`/${path}`)) cpSync(`/${path}`, join(root, path), { recursive: true, dereference: true });
  }
}

/** The path at which the loader looks for each library, and this machine's file for it. */
function sharedLibraries(): [path: string, library: string][] {
  const lines = execFileSync("ldconfig", ["-p"], { encoding: "utf8" }).split("\n");
  const machine = readFileSync(process.execPath).readUInt16LE(18);
  return lines.flatMap((line): [string, string][] => {
    const [, library] = / => (\/\S+)$/.exec(line) ?? [];
    if (
      library === undefined ||
      !CC_LIBRARIES.some((name) => basename(library).startsWith(`${name}.`) || basename(library).startsWith(`${name}-`))
    )
      return [];
    return readFileSync(library).readUInt16LE(18) === machine ? [[library, realpathSync(library)]] : [];
  });
}
