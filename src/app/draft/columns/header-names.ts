/**
 * The header names of each role, normalised (no case, no accents, no punctuation), in the languages of common exports.
 * `name` may be a first, last or full name.
 */
export const headerNamesByRole = {
  key: `id recordid contactid personid customerid leadid userid uid uuid externalid legacyid importid hsobjectid
    donotmodifycontact donotmodifylead identifier identifiant identificador kundennummer kundennr kontaktid numeroclient
    codigocliente klantnummer contactoid mãkh mãkháchhàng mãsốkháchhàng mãsố 编号 客户编号 編號 顧客番号 顧客id 会員番号 고객번호`,
  email: `email emailaddress emailaddresses emailid emailadress mail mailaddress emails eaddress correo correoelectronico correoselectronicos
    direcciondecorreo direcciondecorreoelectronico courriel adressemail adresseemail adressecourriel adresseelectronique
    emailadresse mailadresse epost epostadresse eposta epostaadresi postaelettronica indirizzoemail enderecodeemail
    endereçodeemail emailadres mailadres adresemail poczta pocztaelektroniczna surel alamatemail alamatsurel emel alamatemel
    電子メール メール メールアドレス eメール 电子邮件 电子邮箱 邮箱 邮件 邮箱地址 電子郵件 電子郵箱 電子信箱 信箱 이메일 이메일주소
    почта электроннаяпочта электронныйадрес элпочта эладрес адресэлектроннойпочты емейл имейл мейл пошта електроннапошта
    електроннаадреса адресаелектронноїпошти елпошта epostasi البريدالالكتروني بريدالكتروني البريد الايميل ايميل
    ηλεκτρονικήδιεύθυνση ηλεκτρονικόταχυδρομείο דואל אימייל מייל דוארא דואראלקטרוני כתובתמייל אימיל อีเมล อีเมล์
    thưđiệntử địachỉemail hộpthư emailovaadresa emailovýkontakt emailcím elektronskapošta sähköposti sähköpostiosoite
    elpaštas epasts ایمیل имейл имейладрес ईमेल`,
  phone: `phone phonenumber phonenumbers phoneno telephone telephonenumber telephoneno tel telno contactnumber contactno phones
    telefon telefonnummer telefonnummern telefonnr telephones telefonos telefones telefoni rufnummer telefoon telefoonnummer telefono numerotelefono numeroditelefono
    numerodetelefono numerodetelephone numerotelephone numtel notel telp telg telefone numerodetelefone nrtelefonu numertelefonu
    telefonnumarasi telefonno telepon nomortelepon notelepon nomortelefon nombortelefon notelefon 电话 电话号码 联系电话 電話
    電話番号 電話號碼 聯絡電話 전화 전화번호 연락처 телефон номертелефона sms whatsapp whatsappnumber whatsappphone whatsappid msisdn mainphone
    switchboard telefonu telefony контактныйтелефон телефонныйномер номертел тел контактнийтелефон телефоннийномер الهاتف رقمالهاتف
    هاتف رقمهاتف التليفون رقمالتليفون تلفون رقمالتواصل واتساب رقمالواتساب
    τηλέφωνο τηλέφωνα τηλ σταθερό σταθερότηλέφωνο αριθμόςτηλεφώνου טלפון טל מספרטלפון เบอร์โทร เบอร์โทรศัพท์
    เบอร์ติดต่อ โทรศัพท์ โทร หมายเลขโทรศัพท์ điệnthoại sốđiệnthoại sđt sốđt đt telefonníčíslo telefónnečíslo telefón
    telefonszám numărdetelefon nrdetelefon numărtelefon brojtelefona telefonskaštevilka puhelin puhelinnumero
    telefonas telefononumeris tālrunis tālruņanumurs تلفن شمارهتلفن फ़ोन फोन फ़ोननंबर फोननंबर телефоненномер`,
  mobile: `mobile cellolar mobilephone mobilephonenumber mobilenumber mobileno cell cellphone cellnumber cellular phonemobile
    phonecell telcell telmobile handy handynummer handynr mobil mobilnummer mobilnr mobiltelefon mobilfunk portable
    telephoneportable telportable telephonemobile numeroportable telefonomovil movil celular telefonocelular cellulare
    telefonocellulare telefonoportatile telemovel telemóvel telefonecelular mobiel mobielnummer gsm gsmnummer komorka
    telefonkomorkowy nrkomorkowy natel ceptelefonu cep hp nohp nomorhp ponsel nomorponsel telefonbimbit notelefonbimbit 手机 手机号
    手机号码 移动电话 手機 手機號碼 携帯 携帯電話 携帯番号 携帯電話番号 휴대폰 휴대전화 휴대폰번호 мобильный мобильныйтелефон мобильныйномер
    номермобильного сотовый сотовыйтелефон моб мобтел мобільний мобільнийтелефон мобільнийномер cepno cepnumarasi الجوال
    رقمالجوال جوال رقمجوال هاتفجوال الهاتفالجوال المحمول رقمالمحمول الهاتفالمحمول موبايل الموبايل رقمالموبايل النقال الهاتفالنقال
    κινητό κινητότηλέφωνο αριθμόςκινητού נייד טלפוןנייד סלולרי טלפוןסלולרי פלאפון מספרנייד มือถือ เบอร์มือถือ
    โทรศัพท์มือถือ เบอร์โทรศัพท์มือถือ diđộng điệnthoạidiđộng sốdiđộng đtdđ mobilnítelefon mobilnýtelefón
    mobilníčíslo mobilszám telefonmobil telefonulmobil mobitel mobilni mobilnitelefon matkapuhelin
    matkapuhelinnumero kännykkä mobilaistālrunis мобилен мобилентелефон موبایل همراه تلفنهمراه شمارهموبایل
    شمارههمراه मोबाइल मोबाइलनंबर`,
  fax: `fax faxnumber faxno telefax faxnummer phonefax telfax telecopie numerofax 传真 傳真 ファックス 팩스`,
  firstName: `vornameadressattypnaturlperson firstname first givenname given ngiven fname forename christianname vorname prenom prenoms nombres
    primernombre nombredepila primeironome nomeproprio voornaam imie isim namadepan namapertama 名 名字 이름 имя ontnaam
    namefirst імя الاسمالاول
    שםפרטי tênđệmvàtên křestníjméno krstnémeno keresztnév utónév prenume förnamn fornavn etunimi eesnimi emri`,
  lastName: `nameadressattypnaturlperson lastname last surname familyname family nfamily lname secondname nachname familienname zuname nomdefamille
    apellido apellidos primerapellido cognome sobrenome apelido ultimonome achternaam familienaam nazwisko soyad soyadi
    soyisim namabelakang namaakhir namakeluarga 姓 姓氏 苗字 성 성씨 фамилия прізвище namelast اسمالعائلة
    επώνυμο επίθετο שםמשפחה นามสกุล họ họđệm họlót họvàđệm họvàtênđệm họvàtênlót họvàchữlót příjmení priezvisko vezetéknév családnév numedefamilie prezime
    priimek презиме efternamn etternavn sukunimi perekonnanimi uzvārds pavardė mbiemri cognoms نامخانوادگی उपनाम`,
  /** The prefix of a Dutch family name, such as "van der". */
  namePrefix: 'tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels',
  fullName: `nameadressattypkeineangabe fullname displayname contactname personname vollstandigername namevorname vornamename
    vornachname vorundnachname vorundzuname vornameundname vornameundnachname nachnamevorname nomcomplet nometprenom nomprenom prenomnom nombrecompleto nombreyapellido nombreyapellidos apellidosynombre apellidosynombres apellidosnombre apellidoynombre nomecompleto
    nomecognome nomeecognome cognomenome cognomeenome nominativo nomeesobrenome sobrenomenome volledigenaam naamvoornaam imieinazwisko nazwiskoiimie nazwiskoimie soyadad soyadiadi adsoyad adisoyadi isimsoyisim namalengkap namapenuh
    姓名 全名 客户姓名 联系人 聯絡人 氏名 お名前 顧客名 フルネーム 성명 성함 고객명 фио фиоклиента полноеимя піб nev nevteljes teljesnev
    hovaten hoten hotendem fn formattedname الاسم الاسمالكامل
    ονοματεπώνυμο שםמלא tênkháchhàng celéjméno celémeno jménoklienta numecomplet fullständigtnamn fuldenavn
    fulltnavn kokonimi نامکامل نامونامخانوادگی पूरानाम`,
  name: `name nombre nome nom naam nama ad adi imię 名前 имяклиента
    όνομα שם ชื่อ tên jméno meno nume ime име namn navn nimi vārds vardas نام नाम`,
  language: `language lang languages locale preferredlanguage communicationlanguage sprache langue langues idioma
    lenguaje lingua taal jezyk dil bahasa 语言 語言 言語 언어 язык`,
  country: `country countryname countryid countrycode countryregion countryorregion landregion landregio landofregio paysregion
    paisregion paisoregion paisregiao paisouregiao paeseregione paesearea paeseareageografica land landname pays pais paese nazione kraj ulke
    negara 国家 国家地区 國家 国 国名 국가 страна البلد adrcountry addresscountry dialcode dialingcode diallingcode callingcode
    countrycallingcode countrydialcode phonecountrycode isdcode landervorwahl landesvorwahl landervorwahlnummer indicatifpays
    indicatiftelephonique codigopais codigodepais codigodelpais prefijopais prefijointernacional ddi prefissointernazionale
    codicepaese landnummer kodkraju ulkekodu kodenegara кодстраны кодкраїни رمزالدولة مفتاحالدولة 国家代码 国家代碼 國碼
    国番号 국가번호 국가코드
    χώρα מדינה ประเทศ quốcgia země krajina ország țara țară država държава maa`,
  photo: `photo photourl avatar avatarurl profilepic profilepicture profileimage profilephoto picture pictureurl image
    imageurl foto bild fotourl`,
  owner: `owner ownerid owneremail ownername ownedby salesowner contactowner contactownerid leadowner recordowner accountowner hubspotownerid
    hubspotowner assignee assigneeid assigneeemail assignedto assigneduser assigneduserid assignedusername assignedagent
    responderid accountmanager salesrep salesrepresentative supportrepid supportrep smownerid owninguser
    usernameowninguseruser besitzer betreuer kontaktbesitzer zustandig zustandiger bearbeiter responsable
    proprietaireducontact proprietaire propietario propietariodelcontacto proprietario responsavel eigenaar
    contacteigenaar accountbeheerder relatiebeheerder klantbeheerder contactbeheerder adviseur
    wlasciciel opiekun sorumlu temsilci pemilik pemilikkontak penanggungjawab 负责人 所有者 跟进人 負責人 擁有者
    担当者 担当 담당자 ответственный`,
  tags: `tags tag label labels categories category kategorien kategorie schlagworte schlagwort etiquettes etiquette
    etiquetas etiqueta etichette etykiety etykieta etiketler etiket tagar tanda keywords keyword segments segment groups
    groupmembership 标签 標籤 タグ 태그 метки теги`,
  stage: `lifecycle lifecyclestage stage leadstage leadstatus contactstage customerstage customerlifecycle funnelstage
    salesstage pipelinestage phase lebenszyklusphase etapa etape etapeducycledevie etapadelciclodevida fase levensfase klantfase asama tahap
    peringkat 阶段 生命周期 客户阶段 階段 ステージ ライフサイクルステージ 단계 стадия`,
  company: `nameadressattypunternehmen company companyname organization organisation organizationname organisationname org orgname account accountname
    employer business businessname associatedcompany firma firmenname unternehmen gesellschaft societe entreprise
    nomdelentreprise empresa nombredelaempresa nomedaempresa compania azienda societa nomeazienda bedrijf bedrijfsnaam
    organisatie sirket sirketadi perusahaan namaperusahaan syarikat namasyarikat 公司 公司名称 公司名稱 企业 企業 会社 会社名 勤務先
    회사 회사명 компания организация
    εταιρεία εταιρία επωνυμία חברה שםחברה บริษัท ชื่อบริษัท côngty têncôngty spoločnosť cég cégnév companie tvrtka
    podjetje фирма yritys företag virksomhed`,
  optOut: `optout optedout emailoptout emailoptedout hasoptedoutofemail hasoptedoutoffax unsubscribed unsubscribe
    unsubscribedfromallemail emailunsubscribed donotcall donotemail donotcontact dnc optin optedin emailoptin smsoptin
    newsletter subscribed subscription marketingconsent consent marketingoptin emailconsent gdprconsent invalidemail
    abgemeldet werbesperre newsletteranmeldung einwilligung desabonne desinscrit consentement baja desuscrito
    consentimiento descadastrado afgemeld toestemming zgoda onay berhentiberlangganan 退订 退訂 配信停止`,
  birthDate: `dateofbirth birthdate birthday birthdaydate dob bday born bornon geburtsdatum geburtstag geboren geborenam gebam gebdatum gebdat
    gebtag datedenaissance datenaissance naissance neele fechadenacimiento fechanacimiento fecnacimiento nacimiento cumpleanos
    datadenascimento datanascimento dtnascimento nascimento datadinascita datanascita nascita natoil compleanno geboortedatum
    geboortedag geborenop verjaardag dataurodzenia urodzony urodziny dogumtarihi dogumgunu tanggallahir tgllahir tarikhlahir
    出生日期 出生年月日 生日 生年月日 誕生日 생년월일 생일 датарождения деньрождения датанародження деньнародження تاريخالميلاد
    تاريخالولادة ημερομηνίαγέννησης תאריךלידה วันเกิด ngàysinh datumnarození datumnarodenia születésidátum születésnap
    datanașterii datumrođenja datumrojstva födelsedatum fødselsdato fødselsdag syntymäaika syntymäpäivä sünniaeg
    dzimšanasdatums gimimodata датанараждане تاریختولد जन्मतिथि`,
  notes: `note notes comment comments remark remarks description memo message nachricht mensaje messaggio mensagem bericht bemerkung bemerkungen notiz notizen kommentar
    kommentare anmerkung anmerkungen beschreibung commentaire commentaires remarque remarques nota notas comentario
    comentarios observacion observaciones observacao observacoes descripcion descricao commenti osservazioni descrizione
    opmerking opmerkingen notities omschrijving uwagi notatki notatka opis notlar aciklama catatan keterangan 备注 備註 备注信息
    备考 備考 メモ 메모 비고 комментарий примечание
    σημειώσεις σημείωση παρατηρήσεις σχόλια הערות הערה หมายเหตุ ghichú poznámka poznámky megjegyzés megjegyzések
    observații mențiuni napomena napomene бележка бележки забележка anteckning anteckningar anmärkning anmärkningar
    bemærkning bemærkninger merknad merknader huomautus huomautukset توضیحات یادداشت`,
} as const;

export type ColumnRole = keyof typeof headerNamesByRole;

/**
 * Names of people in one column that have the last name first, or consist of the words for both. A name that is made of
 * two others, such as `Nom Prénom`, needs no entry.
 */
export const familyFirstNames = new Set(
  'фио фиоклиента піб nev nevteljes teljesnev hovaten hoten hotendem ten tenkhachhang'.split(' '),
);

/** Names in Chinese, Japanese or Korean, where romanised names are written with the last name first, too. */
export const eastAsianFullNames = new Set(
  '姓名 全名 客户姓名 氏名 お名前 名前 顧客名 フルネーム 성명 성함 이름 고객명'.normalize('NFKD').split(' '),
);

/**
 * Words to ignore in a column's name, besides those that tell which of several e-mails or phones the column has: they
 * add nothing to its meaning.
 */
export const columnNoiseWords = new Set(
  `person contact customer client lead user value line del mailing billing shipping address subscriber member data
   kontakt cliente property properties`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words for the contact of a row that is a booking, a chat or a ticket. */
export const attendingWords = new Set([
  'visitor',
  'invitee',
  'attendee',
  'registrant',
  'participant',
  'requester',
]);

/** Words for the staff of the old system. */
export const staffWords = new Set(
  `agent operator host organizer organiser technician rep representative salesperson seller sender from by created modified
   updated changed assigned admin staff employee support owner teammate colleague advisor consultant agente operador operatore
   operateur mitarbeiter vendedor vendeur verkaufer venditore conseiller medewerker`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words of columns that are about something or someone other than the contact. */
export const nonContactWords = new Set(
  `assistant spouse partner parent manager referrer referral emergency reports agent sender creator author supplier
   domain status bounced verified verification hash count type format opt consent template campaign source`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words of columns that may hold lifecycle stages or anything else. */
export const statusWords = new Set(
  'status kundenstatus kontaktstatus statut estado stato stan durum situacao статус 状态 狀態 ステータス 상태'.split(
    ' ',
  ),
);

/** Normalised words for lifecycle stages. */
export const lifecycleStageWords = new Set(
  `lead leads prospect prospects prospecto prospek suspect opportunity customer customers client clients cliente clientes
   clienti kunde kunden neukunde bestandskunde altkunde stammkunde interessent interessenten klant klanten klient kund mql sql
   subscriber evangelist trial churned expired nuevo oportunidad opportunita oportunidade musteri pelanggan potenzieller
   лид клиент 客户 潜在客户 顧客 見込み客 고객`.split(/\s+/),
);
