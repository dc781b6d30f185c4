/**
 * Keeps the keyboard's position when the focused element leaves the page, such as a card that becomes a row or a sheet
 * that is closed.
 */
import { useEffect } from 'react'
import { firstControl } from './view/controls'

/** The last focused element, and its ancestors from the inside to the outside. */
type Focused = { readonly element: HTMLElement; readonly around: readonly HTMLElement[] }

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Focused | null = null
    /** The element that had the focus before the sheet took it. */
    let behind: HTMLElement | null = null
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      if (!isInSheet(target)) behind = null
      else if (last !== null && !isInSheet(last.element)) behind = last.element
      last = { element: target, around: aroundOf(target) }
    }
    const observer = new MutationObserver(() => {
      if (last === null || last.element.isConnected) return
      // A sheet that stays keeps the focus itself.
      if (behind !== null && document.querySelector('.sheet') !== null) return
      const next = behind === null ? successorOf(last) : fromSheet(behind)
      last = null
      behind = null
      // Only if the focus wasn't moved on purpose.
      if (document.activeElement === document.body) next?.focus()
    })
    window.addEventListener('focusin', onFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      window.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

const isInSheet = (element: HTMLElement): boolean => element.closest('.sheet') !== null

function aroundOf(element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = []
  for (let next = element.parentElement; next !== null; next = next.parentElement) found.push(next)
  return found
}

/** The element that had the focus before the sheet; the page if the action in the sheet removed it. */
const fromSheet = (behind: HTMLElement): HTMLElement | null =>
  behind.isConnected ? behind : document.querySelector<HTMLElement>('main')

/** The control with the same id, else the first control in a remaining ancestor, else the page. */
function successorOf({ element, around }: Focused): HTMLElement | null {
  const same = element.id === '' ? null : document.getElementById(element.id)
  if (same !== null) return same
  const main = document.querySelector<HTMLElement>('main')
  const left = around.find((one) => one.isConnected && main?.contains(one) === true)
  return (left && firstControl(left)) ?? main
}
