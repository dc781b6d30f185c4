import { useCallback, useEffect, useRef, useState } from 'react'
import { limits } from '#shared/limits'
import type { ListingEntry } from '#shared/offer'
import type { Rename } from '#shared/settings/receive-options'
import type { Receive } from '#shared/state/app-state'
import { noticeFailure } from '../../actions/actions'
import { bridge } from '../../bridge'

/** The loaded part of a folder of the offer: the first entries, and the number of all. */
export type OfferFolder = { readonly entries: readonly ListingEntry[]; readonly total: number }

export type OfferFolders = ReadonlyMap<string, OfferFolder>

const nothing: OfferFolders = new Map()

/** The offer folder by folder; each call of `load` adds `limits.entriesShown` entries. */
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
        .listOffer({ receive: id, path, query: '', offset, limit: limits.entriesShown })
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

  // The share has grown or shrunk, which may affect every folder.
  const version = `${totals?.files ?? 0} ${totals?.bytes ?? 0}`
  useEffect(() => {
    const paths = new Set(['', ...known.current.keys()])
    known.current = nothing
    for (const path of paths) load(path)
  }, [load, version])

  return { folders, load }
}

type Found = OfferFolder & { readonly query: string }

/** Quickly typed letters make one query. */
const debounceMs = 150

/**
 * The files whose paths contain `query`, with offered or chosen names; each call of `loadMore` adds `limits.entriesShown`. `found` is `null` without
 * a query, and until its first answer.
 */
export function useOfferSearch(
  { id, totals }: Receive,
  query: string,
  renames: readonly Rename[] | undefined,
): { readonly found: OfferFolder | null; readonly loadMore: () => void } {
  const [found, setFound] = useState<Found | null>(null)
  const isAsked = useRef(false)
  const version = `${totals?.files ?? 0} ${totals?.bytes ?? 0}`
  const question = useRef('')

  const ask = useCallback(
    (offset: number) => {
      const mine = question.current
      isAsked.current = true
      void bridge
        .listOffer({
          receive: id,
          path: '',
          query,
          ...(renames && { renames }),
          offset,
          limit: limits.entriesShown,
        })
        .then((reply) => {
          if (mine !== question.current) return
          isAsked.current = false
          noticeFailure(reply)
          if (!reply.ok) return
          const { entries, total } = reply.value
          setFound((before) => ({
            query,
            total,
            entries: offset === 0 ? entries : [...(before?.entries ?? []), ...entries],
          }))
        })
    },
    [id, query, renames],
  )

  useEffect(() => {
    question.current = `${query} ${version}`
    if (query === '') return
    const timer = setTimeout(() => ask(0), debounceMs)
    return () => clearTimeout(timer)
  }, [ask, query, version])

  const isCurrent = query !== '' && found?.query === query
  return {
    found: isCurrent ? found : null,
    loadMore: () => {
      if (isCurrent && !isAsked.current) ask(found.entries.length)
    },
  }
}
