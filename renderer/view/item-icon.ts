import {
  AudioLines,
  File,
  FileArchive,
  Files,
  FileText,
  Film,
  Folder,
  Image,
  Inbox,
  Link2,
  type LucideIcon,
  Type,
} from 'lucide-react'
import { assertNever } from '#shared/assert-never'
import type { Item, Share } from '#shared/state/app-state'

const byExtension: readonly (readonly [RegExp, LucideIcon])[] = [
  [/\.(mov|mp4|mkv|avi|webm|mxf|m4v|r3d|braw)$/i, Film],
  [/\.(jpe?g|png|gif|webp|heic|tiff?|svg|psd|dng|cr[23]|nef|arw)$/i, Image],
  [/\.(wav|mp3|flac|aiff?|ogg|m4a|aac)$/i, AudioLines],
  [/\.(zip|tar|gz|tgz|xz|zst|7z|rar|bz2)$/i, FileArchive],
  [/\.(txt|md|pdf|docx?|odt|rtf|csv|xlsx?|pptx?)$/i, FileText],
]

/** The icon of an item in a share, by the extension of its name. */
export function itemIcon({ name, kind }: Pick<Item, 'name' | 'kind'>): LucideIcon {
  switch (kind) {
    case 'folder':
      return Folder
    case 'text':
      return Type
    case 'link':
      return Link2
    case 'file':
    case 'stream':
      return byExtension.find(([pattern]) => pattern.test(name))?.[1] ?? File
    default:
      return assertNever(kind)
  }
}

const byType: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^video\//, Film],
  [/^image\//, Image],
  [/^audio\//, AudioLines],
  [/(zip|compressed|tar|archive)$/, FileArchive],
  [/^text\/|pdf$|document/, FileText],
  [/./, File],
]

/** The icon of a dragged file; folders and unknown files have no MIME type, and so the same one. */
export const draggedIcon = (type = ''): LucideIcon =>
  byType.find(([pattern]) => pattern.test(type))?.[1] ?? Files

/** The icon of a whole share. */
export const shareIcon = ({ items, requests }: Pick<Share, 'items' | 'requests'>): LucideIcon => {
  if (requests === true) return Inbox
  const [only, ...others] = items
  return only === undefined || others.length > 0 ? Files : itemIcon(only)
}
