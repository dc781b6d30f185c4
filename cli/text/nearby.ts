/** Sentences about nearby computers. */

export const nearbyText = {
  contact: (name: string) => `${name} · contact`,
  none: 'No computers found. They are listed while Thruflux is open there and visible on this network.',
  off: 'The local network is off. Leave out --no-lan and --relay only, and set network.visible to everyone or contacts.',
  several: (name: string) =>
    `Several computers are named "${name}". Change the name of one of them in its settings.`,
  needsTerminal: (name: string) =>
    `You have no contact named "${name}". To send to a nearby computer, use a terminal: you compare a number there.`,
  asked: (name: string) => `${name} is asked.`,
  declined: (name: string) => `${name} declined.`,
  busy: (name: string) => `${name} has too many open questions. Try again later.`,
  differs: (name: string) => `Nothing was sent to ${name}, because the numbers differ.`,
  refused: (name: string) => `${name} isn't accepting files right now.`,
  gone: (name: string) => `${name} doesn't answer.`,
  asks: (name: string, summary: string, safety: string) =>
    `${name} wants to send ${summary}. Number: ${safety}`,
} as const
