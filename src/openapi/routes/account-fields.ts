// What routes about accounts say alike.

export const EMAIL = 'E-mail address, in any letter case. At most 254 characters.';

export const NEW_PASSWORD = '10 to 200 characters, at least 5 of them different.';
