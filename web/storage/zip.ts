/** Packs received files into one ZIP file, which keeps their folders. */
import { downloadZip } from 'client-zip'
import { visibleText } from '#shared/format/visible-text'
import type { ArrivedFile } from '../page-session'

/** Signs that some systems refuse in names. */
const refused = /[<>:"\\|?*]/g

/** A path for a ZIP file that every system can unpack. */
export const zipPath = (path: string): string =>
  path
    .split('/')
    .map((name) =>
      visibleText(name)
        .replace(refused, '_')
        .replace(/[. ]+$/, '_'),
    )
    .join('/')

/** The files as one ZIP file, which isn't compressed. */
export const zipOf = (files: readonly ArrivedFile[]): Promise<Blob> =>
  downloadZip(
    files.map(({ entry, content }) => ({ name: zipPath(entry.path), input: content })),
  ).blob()
