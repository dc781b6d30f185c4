import { visibleText } from '#shared/format/visible-text'

/** Characters kept at the end, with the extension: names are cut in the middle. */
const endKept = 12
/** Shorter names fit, or nearly. */
const longFrom = 32
/** The two halves of right-to-left text would swap places. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A name that someone chose: shown as plain text, isolated from its neighbors, with its end visible. */
export function FileName({ name }: { readonly name: string }) {
  const shown = visibleText(name)
  const characters = [...shown]
  const isCut = characters.length > longFrom && !rightToLeft.test(shown)
  if (!isCut) {
    return (
      <bdi className="file-name trunc" title={shown}>
        {shown}
      </bdi>
    )
  }
  return (
    <bdi className="file-name" title={shown}>
      <span className="trunc">{characters.slice(0, -endKept).join('')}</span>
      <span className="file-end">{characters.slice(-endKept).join('')}</span>
    </bdi>
  )
}
