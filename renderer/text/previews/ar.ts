/** A preview in Arabic: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'

const plural = pluralOf('ar')

const person = (name: string): string => (name === '' ? 'شخص ما' : isolated(name))

const files = (count: number) =>
  plural(count, {
    zero: `لا ملفات`,
    one: `ملف واحد`,
    two: `ملفّان`,
    few: `${formatCount(count)} ملفات`,
    many: `${formatCount(count)} ملفًا`,
    other: `${formatCount(count)} ملف`,
  })

const people = (count: number) =>
  plural(count, {
    zero: `لا أحد`,
    one: `شخص واحد`,
    two: `شخصان`,
    few: `${formatCount(count)} أشخاص`,
    many: `${formatCount(count)} شخصًا`,
    other: `${formatCount(count)} شخص`,
  })

export const arabic: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'إلغاء',
    change: 'تغيير',
    close: 'إغلاق',
    collapse: 'طي',
    copied: 'تم النسخ',
    copy: 'نسخ',
    delete: 'حذف',
    done: 'تم',
    expand: 'توسيع',
    pause: 'إيقاف مؤقت',
    pauseAll: 'إيقاف الكل مؤقتًا',
    resume: 'استئناف',
    save: 'حفظ',
    showFolder: 'عرض في المجلد',
    tryAgain: 'إعادة المحاولة',
  },
  lists: { files, more: (count) => `و${formatCount(count)} أخرى` },
  progress: {
    timeLeft: (duration) => `متبقٍ ${duration}`,
    received: ({ bytes, totalBytes }) => `تم استلام ${formatBytesOf(bytes, totalBytes)}`,
    tryingDirect: 'جارٍ تجربة اتصال مباشر',
  },
  route: {
    local: 'شبكة محلية',
    direct: 'مباشر',
    directIpv6: 'مباشر، IPv6',
    directTcp: 'مباشر، TCP',
    relayed: 'عبر مرحّل',
    relayedTcp: 'عبر مرحّل، TCP',
    serverRelay: 'عبر الخادم',
  },
  server: {
    idle: 'جاهز',
    embedded: 'جاهز على هذا الحاسوب',
    connected: (host) => `جاهز عبر ${host}`,
    unreachable: (host) => `لا يستجيب ${host}`,
  },
  home: {
    title: 'أفلت الملفات في أي مكان',
    about: 'تحصل على رمز فورًا. كل من يُدخله يستلم الملفات من هذا الحاسوب.',
    send: 'إرسال',
    receive: 'استلام',
    chooseFiles: 'اختيار ملفات',
    chooseFolder: 'اختيار مجلد',
    sendText: 'إرسال نص',
    firstTime: 'افتح Thruflux على الحاسوبين: أحدهما يشارك والآخر يُدخل الرمز.',
  },
  transfers: { title: 'عمليات النقل', dropMore: 'أفلت مزيدًا من الملفات في أي مكان.' },
  drop: {
    title: 'أفلت للمشاركة',
    about: 'ستحصل على رمز فورًا.',
    orAdd: 'أو أفلت على مشاركة مفتوحة للإضافة إليها.',
  },
  codeField: {
    label: 'هل لديك رمز؟ اكتبه أو الصقه هنا.',
    name: 'رمز الانضمام',
    placeholder: 'أدخل رمزًا',
    join: 'انضمام',
    wrongWord: (word) => `‏«${word}» ليست من كلمات الرموز.`,
    checkWord: 'تحقق منها مع المرسل.',
    didYouMean: 'هل تقصد',
    suggestions: 'كلمات مقترحة',
  },
  joinLink: {
    open: 'رمز QR',
    title: 'رابط الانضمام',
    picture: 'رمز QR لرابط الانضمام',
    copy: 'نسخ الرابط',
  },
  share: {
    stop: 'إيقاف المشاركة',
    more: 'المزيد',
    codeHint: 'رمز الانضمام. اقرأه بصوت عالٍ أو انقر لنسخه.',
    codeLabel: 'رمز الانضمام',
    copyCode: 'نسخ الرمز',
    newCode: 'رمز جديد',
    opening: 'جارٍ الحصول على رمز',
    add: 'إضافة',
    addFiles: 'ملفات',
    addFolder: 'مجلد',
    addText: 'نص',
    contents: 'في هذه المشاركة',
    showContents: 'المحتويات',
    counting: 'جارٍ عدّ الملفات',
    stillCounting: 'العدّ مستمر',
    sharedNow: 'تمت المشاركة الآن',
    preparing: 'جارٍ التحضير',
    waiting: 'في انتظار أن يُدخل أحدهم الرمز',
    moreCanJoin: 'يمكن لآخرين الانضمام لاحقًا بالرمز نفسه.',
    noOneJoined: 'لم ينضم أحد',
    codeName: (code) => `رمز الانضمام ${spelledCode(code)}. نسخ`,
    sharedAgo: (duration) => `مشارَك منذ ${duration}`,
    people,
  },
  receivers: {
    title: 'المستلمون',
    count: (count: number) =>
      plural(count, {
        zero: `لا مستلمين`,
        one: `مستلم واحد`,
        two: `مستلمان`,
        few: `${formatCount(count)} مستلمين`,
        many: `${formatCount(count)} مستلمًا`,
        other: `${formatCount(count)} مستلم`,
      }),
    totalSpeed: (rate) => `الإجمالي ${rate}`,
    disconnect: (name) => `قطع اتصال ${person(name)}`,
    reviewing: 'يطّلع على ملفاتك',
    via: (relay) => `عبر ${relay}`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)} يريد أن يرسل إليك ${files(count)}`,
    titleOfText: ({ name }) => `${person(name)} يريد أن يرسل إليك نصًا`,
    verifiedByCode: 'تم التحقق برمزك',
    verifiedByNumber: 'تم التحقق بالرقم الذي قارنته',
    choose: 'اختر ما تستلمه',
    saveTo: 'الحفظ في',
    checking: 'جارٍ فحص المجلد',
    moreOptions: 'خيارات أخرى',
    nothingYet: 'لا يُحفظ شيء قبل أن توافق.',
    decline: 'رفض',
    skipped: 'تم تخطيها',
    filesWanted: ({ files: count, totalFiles }) => `${formatCount(count)} من ${files(totalFiles)}`,
    needed: (bytes) => `المطلوب ${formatBytes(bytes)}`,
    freeAfter: (bytes) => `يبقى ${formatBytes(bytes)} بعد ذلك`,
    receive: (bytes) => `استلام ${formatBytes(bytes)}`,
    policies: {
      'update-unchanged': 'تحديث ما لم يُعدَّل هنا',
      'keep-both': 'الاحتفاظ بكليهما',
      replace: 'استبدال',
      update: 'استبدال الأجزاء المتغيرة',
      'replace-older': 'استبدال الأقدم',
      skip: 'تخطٍّ',
    },
  },
  receive: {
    from: (name) => `من ${person(name)}`,
    fromTo: ({ name, directory }) => `من ${person(name)} إلى ${directory}`,
    figures: { received: 'تم استلامه', speed: 'السرعة الحالية', left: 'المتبقي' },
  },
  interrupted: { title: 'انقطع', about: 'ما استلمته حتى الآن محفوظ.', enterCode: 'إدخال الرمز' },
  result: {
    averageSpeed: 'متوسط السرعة',
    files: 'الملفات',
    received: 'المستلَم',
    time: 'المدة',
    route: 'المسار',
    savedTo: 'محفوظ في',
  },
}
