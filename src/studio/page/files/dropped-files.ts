/** The files of one upload. */
export interface UploadBatch {
  /** The folder of the upload for several files; undefined for a single one. */
  readonly folder: string | undefined;
  readonly files: readonly { readonly name: string; readonly blob: Blob }[];
}

/** Returns the dropped files, including those in dropped folders. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<UploadBatch> {
  // Browsers clear the items after the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
  const files = (await Promise.all(entries.map((entry) => filesIn(entry, '')))).flat();
  const folder = entries.find((entry) => !(entry instanceof File) && isFolder(entry));
  return together(files, folder?.name);
}

/** Returns the files chosen in a file dialog; if a folder was chosen, their paths begin with its name. */
export function readChosenFiles(list: FileList): UploadBatch {
  const files = [...list].map((blob) => ({ name: blob.webkitRelativePath || blob.name, blob }));
  const [folder, below] = files[0]?.name.split('/') ?? [];
  return together(files, below === undefined ? undefined : folder);
}

async function filesIn(entry: FileSystemEntry | File, above: string): Promise<UploadBatch['files']> {
  const name = above + entry.name;
  if (entry instanceof File) return [{ name, blob: entry }];
  if (isFile(entry)) {
    const blob = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ name, blob }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    // The reader returns about a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map((each) => filesIn(each, `${name}/`)))).flat();
}

// Not every browser has the classes for `instanceof`.
function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function together(files: UploadBatch['files'], folder: string | undefined): UploadBatch {
  const wanted = files.filter(({ name }) => !name.split('/').some((part) => part.startsWith('.')));
  const named = wanted.map(({ name, blob }) => ({
    name: plainName(folder === undefined ? name : name.replace(`${folder}/`, '')),
    blob,
  }));
  if (named.length < 2) return { folder: undefined, files: named };
  // The folder's name has the time, because an earlier upload of the same name may be in use.
  const moment = new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '');
  return { folder: plainName(`${folder ?? 'files'}-${moment}`), files: named };
}

/** Returns a name without path separators, of at most 200 characters; a longer one keeps its ending. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[/\\\0]/g, '-').replace(/^\.+/, '') || 'file';
  return plain.length > 200 ? plain.slice(-200).replace(/^\.+/, '') : plain;
}
