import { isolated } from '../names'

/** A person's or a computer's name before a particle; 님 takes the same ones whatever the name ends in. */
const known = (name: string): string => `${isolated(name)}님`

/** The topic of a sentence, at its beginning. */
export const person = (name: string): string => (name === '' ? '누군가' : known(name))

/** The subject of a sentence. */
export const subject = (name: string): string => (name === '' ? '누군가가' : `${known(name)}이`)

/** The object of a sentence. */
export const object = (name: string): string => (name === '' ? '이 사람을' : `${known(name)}을`)

/** The source of a transfer. */
export const source = (name: string): string => `${person(name)}에게서`
