// Loaded with --import before anything in src/, so that it can plant the fault in this process.
import { plantAtLoad, plantedHere } from './plant-at-load.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const fault = plantedHere(PLANTED_FAULTS);
if (fault) plantAtLoad(fault);
