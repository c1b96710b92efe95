// Loaded with --import before the look-alike, so that it can plant the fault in this process.
import { plantAtLoad, plantedHere } from '../../simulation/planted/plant-at-load.ts';
import { FAULTS_OF_THE_LOOK_ALIKE } from './faults.ts';

const fault = plantedHere(FAULTS_OF_THE_LOOK_ALIKE);
if (fault) plantAtLoad(fault);
