import type { LucideIcon } from 'lucide-react'

type Props = { readonly of: LucideIcon; readonly size?: 14 | 16 | 18 | 20 }

/** Every drawing has the same weight, and words beside it say the same. */
export const Icon = ({ of: Drawing, size = 16 }: Props) => (
  <Drawing size={size} strokeWidth={1.75} aria-hidden />
)
