import type { LucideIcon } from 'lucide-react'

type Props = { readonly of: LucideIcon; readonly size?: 14 | 16 | 18 | 20 }

/** All icons have the same weight, and words next to them say the same. */
export const Icon = ({ of: Drawing, size = 16 }: Props) => (
  <Drawing size={size} strokeWidth={1.75} aria-hidden />
)
