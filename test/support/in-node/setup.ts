import { hashCheaply } from '../../../testing/cheap-hashes.ts';
import { hashAtOnce } from './hashes.ts';
import { closeNetwork } from './network.ts';

// Vitest runs this before each test file. The modules are loaded only once, so that they do not wrap themselves.
closeNetwork();
hashCheaply();
hashAtOnce();
