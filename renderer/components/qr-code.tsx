import { useMemo } from 'react'
import { encode } from 'uqr'

type Props = { readonly of: string; readonly name: string }

/** Light modules around the code, which the standard requires: without them it can't be read on a dark background. */
const quietZone = 4

/** A QR code, dark on light in both themes because readers expect that. */
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
