/** Texts about nearby computers. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { subject } from './person'

export const nearbyText: Translation<Catalogue['nearby']> = {
  title: '이 네트워크',
  near: '근처',
  number: (number) => `번호 ${number}`,
  compare: '상대 화면에도 같은 번호가 보이나요?',
  compareHere: '보내는 쪽 화면의 번호와 비교하세요',
  senderCompares: '보내는 사람의 확인을 기다려요',
  sameNumber: '네, 보내기',
  otherNumber: '아니요',
  calls: {
    calling: '연결 중',
    asked: '물어봤어요',
    confirmed: '아직 응답 없음',
    accepted: '수락함',
    joining: '연결 중',
    declined: '거절함',
    busy: '이미 질문이 너무 많아요',
    refused: '지금은 파일을 받지 않아요',
    gone: '응답하지 않아요',
    differs: '번호가 달라서 보내지 않았어요',
  },
  asks: (name) => `${subject(name)} 파일을 보내려고 해요`,
  unnamedOffer: '근처 컴퓨터가 보냄',
  view: '보기',
  decline: '거절',
}
