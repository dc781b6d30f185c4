/** Packs received files into one ZIP file, which keeps their folders. */
import { downloadZip } from 'client-zip'
import type { ArrivedFile } from '../receive'
import { safePath } from './safe-name'

/** The files and folders as one ZIP file, which isn't compressed. The browser keeps large ones on its disk. */
export const zipOf = (
  files: readonly ArrivedFile[],
  folders: readonly string[] = [],
): Promise<Blob> =>
  downloadZip([
    ...folders.map((path) => ({ name: `${safePath(path)}/` })),
    ...files.map(({ entry, content }) => ({
      name: safePath(entry.path),
      input: content,
      lastModified: new Date(entry.modifiedMs),
    })),
  ]).blob()
