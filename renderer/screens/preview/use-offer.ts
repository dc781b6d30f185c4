import { useCallback, useEffect, useRef, useState } from 'react'
import type { Receive } from '#shared/app-state'
import { limits } from '#shared/limits'
import type { ListingEntry } from '#shared/offer'
import { noticeFailure } from '../../actions'
import { bridge } from '../../bridge'

/** What is known of a folder of the offer: the first entries, and how many there are. */
export type OfferFolder = { readonly entries: readonly ListingEntry[]; readonly total: number }

export type OfferFolders = ReadonlyMap<string, OfferFolder>

const nothing: OfferFolders = new Map()

/** The offer folder by folder, `limits.entriesShown` entries with each call of `load`. */
export function useOffer({ id, totals }: Receive): {
  readonly folders: OfferFolders
  readonly load: (path: string) => void
} {
  const [folders, setFolders] = useState(nothing)
  const known = useRef(nothing)
  const asked = useRef(new Set<string>())

  const load = useCallback(
    (path: string) => {
      const offset = known.current.get(path)?.entries.length ?? 0
      if (asked.current.has(path)) return
      asked.current.add(path)
      void bridge
        .listOffer({ receive: id, path, offset, limit: limits.entriesShown })
        .then((reply) => {
          asked.current.delete(path)
          noticeFailure(reply)
          if (!reply.ok) return
          const before = known.current.get(path)?.entries ?? []
          const { entries, total } = reply.value
          known.current = new Map(known.current).set(path, {
            entries: [...before.slice(0, offset), ...entries],
            total,
          })
          setFolders(known.current)
        })
    },
    [id],
  )

  // The share has grown or shrunk, and with it perhaps every folder.
  const version = `${totals?.files ?? 0} ${totals?.bytes ?? 0}`
  useEffect(() => {
    const paths = new Set(['', ...known.current.keys()])
    known.current = nothing
    for (const path of paths) load(path)
  }, [load, version])

  return { folders, load }
}
