import * as RadixTooltip from '@radix-ui/react-tooltip'
import type { ReactElement } from 'react'

type Props = { readonly words: string; readonly children: ReactElement }

export const Tooltip = ({ words, children }: Props) => (
  <RadixTooltip.Root>
    <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
    <RadixTooltip.Portal>
      <RadixTooltip.Content className="tooltip" sideOffset={6} collisionPadding={12}>
        {words}
      </RadixTooltip.Content>
    </RadixTooltip.Portal>
  </RadixTooltip.Root>
)
