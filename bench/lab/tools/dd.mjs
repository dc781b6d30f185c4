// The write rate of the disk alone.
import { basename, join } from 'node:path'

export const dd = {
  name: 'dd',
  about: 'dd conv=fsync at the receiver from memory, without a network',
  ...{ isOptional: true, takesTrees: false },
  needs: ['dd'],
  install: 'apt-get install coreutils',
  version: ['dd', '--version'],
  receive: (lab) => [
    ...['dd', `if=${lab.source}`, `of=${join(lab.out, basename(lab.source))}`],
    ...['bs=1M', 'conv=fsync', 'status=none'],
  ],
}
