import { useMemo } from 'react'
import { encode } from 'uqr'

type Props = { readonly of: string; readonly name: string }

/** Modules around the code that stay light, as the standard asks: on a dark ground nothing reads it without. */
const quietZone = 4

/** A QR code, dark on light in both themes, since readers expect it so. */
export function QrCode({ of: content, name }: Props) {
  const { size, path } = useMemo(() => drawing(content), [content])
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={name}>
      <path d={path} />
    </svg>
  )
}

/** One rectangle for each run of dark modules in a row. */
function drawing(content: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(content, { ecc: 'M', border: quietZone })
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '#' : ' '))
        .join('')
        .matchAll(/#+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  )
  return { size, path: runs.join('') }
}
