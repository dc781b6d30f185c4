import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly tone?: 'plain' | 'warning' | 'danger'
  readonly children: ReactNode
}

/** Content that few people need, initially collapsed. */
export const Collapsible = ({ title, tone = 'plain', children }: Props) => (
  <details className="collapsible">
    <summary className={tone}>
      {title}
      <ChevronDown className="chevron" size={14} strokeWidth={1.75} aria-hidden />
    </summary>
    {children}
  </details>
)
