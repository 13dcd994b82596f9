import type { Locale } from './locales.ts';
import type { shapeShares } from './shares.ts';

export type ShapeName = keyof typeof shapeShares;

/** What a column of an export is about. */
export type Role =
  | 'key'
  | 'first'
  | 'last'
  | 'full'
  | 'email'
  | 'email2'
  | 'phone'
  | 'phone2'
  | 'phone3'
  | 'company'
  | 'job'
  | 'city'
  | 'country'
  | 'language'
  | 'owner'
  | 'stage'
  | 'tags'
  | 'note'
  | 'birthday'
  | 'amount'
  | 'optIn'
  | 'created'
  | 'sector'
  | 'code'
  | 'constant'
  | 'otherId'
  | 'empty';

export interface Shape {
  readonly columns: readonly (readonly [header: string, role: Role])[];
  readonly key: 'number' | 'long' | 'none';
  /** What parts tags. */
  readonly tags: string;
  /** How the vendor writes dates unless a spreadsheet has rewritten them. */
  readonly time: string;
}

const columns = (text: string): Shape['columns'] =>
  text.split('|').map((each) => {
    const [header = '', role = ''] = each.split('=');
    return [header.trim(), role.trim() as Role] as const;
  });

const vendors = {
  salesforce: {
    columns: columns(
      'Id=key|IsDeleted=constant|AccountId=otherId|LastName=last|FirstName=first|MailingCity=city|MailingCountry=country|Phone=phone|MobilePhone=phone2|HomePhone=phone3|Email=email|Title=job|Department=sector|Status__c=stage|Birthdate=birthday|Description=note|Contact Owner=owner|CreatedDate=created|CreatedById=otherId|Customer_Code__c=code|Annual_Volume__c=amount|Newsletter__c=optIn',
    ),
    key: 'long',
    tags: ';',
    time: 'T03:20:21.000Z',
  },
  hubspot: {
    columns: columns(
      'Record ID=key|First Name=first|Last Name=last|Email=email|Phone Number=phone|Mobile Phone Number=phone2|Contact Owner=owner|Lifecycle Stage=stage|Company Name=company|Job Title=job|City=city|Country/Region=country|Industry=sector|Annual Revenue=amount|Date of Birth=birthday|Create Date=created|Message=note|Work email=email2|Customer code=code|Marketing contact=optIn',
    ),
    key: 'number',
    tags: ';',
    time: ' 03:20',
  },
  pipedrive: {
    columns: columns(
      'Person - ID=key|Person - Name=full|Person - Label=tags|Person - Phone - Work=phone|Person - Phone - Mobile=phone2|Person - Phone - Home=phone3|Person - Email - Work=email|Person - Email - Home=email2|Person - Organization=company|Person - Owner=owner|Person - Person created=created|Person - Birthday=birthday|Person - Notes=note|Person - Customer code=code|Person - Volume=amount|Person - Sector=sector',
    ),
    key: 'number',
    tags: ', ',
    time: ' 03:20:21',
  },
  zoho: {
    columns: columns(
      'Record Id=key|Contact Owner.id=otherId|Contact Owner=owner|Lead Source=sector|First Name=first|Last Name=last|Account Name=company|Title=job|Email=email|Secondary Email=email2|Phone=phone|Mobile=phone2|Home Phone=phone3|Email Opt Out=optIn|Date of Birth=birthday|Mailing City=city|Mailing Country=country|Description=note|Tag=tags|Created Time=created|Customer Code=code|Volume=amount',
    ),
    key: 'long',
    tags: ',',
    time: ' 03:20:21',
  },
  zendesk: {
    columns: columns(
      'id=key|url=empty|name=full|email=email|phone=phone|mobile=phone2|role=constant|organization=company|locale=language|tags=tags|notes=note|created_at=created|user_fields.customer_code=code|user_fields.city=city|user_fields.volume=amount|user_fields.sector=sector',
    ),
    key: 'number',
    tags: ' ',
    time: 'T03:20:21Z',
  },
  mailchimp: {
    columns: columns(
      'Email Address=email|First Name=first|Last Name=last|Phone Number=phone|Address City=city|Country=country|Company=company|MEMBER_RATING=constant|OPTIN_TIME=created|OPTIN_IP=empty|Birthday=birthday|Customer Code=code|Volume=amount|LEID=key|NOTES=note|TAGS=tags',
    ),
    key: 'number',
    tags: '","',
    time: ' 03:20:21',
  },
  google: {
    columns: columns(
      'First Name=first|Middle Name=empty|Last Name=last|Nickname=empty|Organization Name=company|Organization Title=job|Birthday=birthday|Notes=note|Photo=empty|Labels=tags|E-mail 1 - Label=constant|E-mail 1 - Value=email|E-mail 2 - Value=email2|Phone 1 - Label=constant|Phone 1 - Value=phone|Phone 2 - Value=phone2|Phone 3 - Value=phone3|Address 1 - City=city|Address 1 - Country=country|Custom Field 1 - Value=code',
    ),
    key: 'none',
    tags: ' ::: ',
    time: '',
  },
  outlook: {
    columns: columns(
      'Title=empty|First Name=first|Middle Name=empty|Last Name=last|Company=company|Job Title=job|Business City=city|Business Country/Region=country|Business Phone=phone|Home Phone=phone3|Mobile Phone=phone2|Birthday=birthday|Categories=tags|E-mail Address=email|E-mail 2 Address=email2|Language=empty|Notes=note|Priority=constant|User 1=code|Account=sector',
    ),
    key: 'none',
    tags: ';',
    time: '',
  },
  dynamics: {
    columns: columns(
      '(Do Not Modify) Contact=key|(Do Not Modify) Row Checksum=otherId|(Do Not Modify) Modified On=created|First Name=first|Last Name=last|Job Title=job|Company Name=company|Business Phone=phone|Mobile Phone=phone2|Email=email|Email Address 2=email2|Address 1: City=city|Address 1: Country/Region=country|Birthday=birthday|Annual Income=amount|Owner=owner|Status Reason=stage|Description=note|Do not allow Bulk Emails=optIn|Customer Code=code',
    ),
    key: 'long',
    tags: ';',
    time: ' 03:20',
  },
  chatwoot: {
    columns: columns(
      'id=key|name=full|email=email|phone_number=phone|labels=tags|company_name=company|city=city|country=country|created_at=created|custom_attribute_1=code|custom_attribute_2=sector|custom_attribute_3=phone2|custom_attribute_4=birthday|custom_attribute_5=note',
    ),
    key: 'number',
    tags: ',',
    time: ' 03:20:21 UTC',
  },
} as const satisfies Readonly<Partial<Record<ShapeName, Shape>>>;

/** The people of a folder that is the dump of a vTiger or Sugar: what is joined is in other tables. */
const folder: Shape = {
  columns: columns(
    'id=key|date_entered=created|deleted=constant|first_name=first|last_name=last|title=job|department=sector|phone_mobile=phone|phone_work=phone2|phone_home=phone3|primary_address_city=city|primary_address_country=country|birthdate=birthday|assigned_user_id=owner|account_id=company|status=stage|description=note|customer_code_c=code|do_not_call=optIn',
  ),
  key: 'long',
  tags: ';',
  time: ' 03:20:21',
};

/** A list that people keep in a spreadsheet, with headers in their language. */
function workbook({ headers: h }: Locale): Shape {
  return {
    columns: [
      [h.key, 'key'],
      [h.first, 'first'],
      [h.last, 'last'],
      [h.company, 'company'],
      [h.city, 'city'],
      [h.country, 'country'],
      [h.phone, 'phone'],
      [h.mobile, 'phone2'],
      [h.email, 'email'],
      [h.email2, 'email2'],
      [h.birthday, 'birthday'],
      [h.amount, 'amount'],
      [h.optIn, 'optIn'],
      [h.sector, 'sector'],
      [h.owner, 'owner'],
      [h.tags, 'tags'],
      [h.note, 'note'],
    ],
    key: 'number',
    tags: ', ',
    time: '',
  };
}

/** The columns of an export: without a key where people left it out, with one name column where they exported it so. */
export function shapeOf(
  name: ShapeName,
  locale: Locale,
  { keyless, oneName }: { readonly keyless: boolean; readonly oneName: boolean },
): Shape {
  const shape = name === 'folder' ? folder : name === 'workbook' ? workbook(locale) : vendors[name];
  const isKeyless = keyless && name !== 'folder';
  const kept = shape.columns.filter(
    ([, role]) => !(isKeyless && role === 'key') && !(oneName && role === 'last'),
  );
  const full = name === 'workbook' ? locale.headers.full : 'Full Name';
  return {
    ...shape,
    key: isKeyless ? 'none' : shape.key,
    columns: oneName
      ? kept.map(([header, role]) =>
          role === 'first' ? ([full, 'full'] as const) : ([header, role] as const),
        )
      : kept,
  };
}
