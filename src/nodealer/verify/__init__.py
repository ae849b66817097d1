"""The offline judge: what a transcript is, and whether what it tells is sound.

Anybody who has the file can judge it, with the code that the seats themselves use and without
network, keys or secrets. Whoever broke a rule is named from signed bytes alone.

    transcript            the file: written from what a seat holds, and read
    report                classes of checks, failures, verdicts
    contradictions        evidence in what is signed, whoever put it into the file
    history               who shuffled each deck, who was left out and why, who won
    walk, unknown_state   from entry to entry, with replay or without
    ending                what is open behind the last entry
    shape                 an entry looked at alone: whom it binds
    judge                 from bytes to a report
    copies                several files of one table
    gist                  a report in three sentences
    report_text, story    the report, and the game, for people
    report_words          the words of both: codes, names, what may be printed
    export                all of it as plain data
"""

from nodealer.games import joined
from nodealer.verify.copies import compare_all
from nodealer.verify.export import exported, judged_by, report_data
from nodealer.verify.gist import ProvenCounts, gist_of, proven_counts
from nodealer.verify.judge import (
    NOTHING_EXPECTED,
    Expected,
    JudgedFile,
    judge_bytes,
    unreadable,
)
from nodealer.verify.report import CHECKS, Check, Count, Failure, ForkedFile, Report, Verdict
from nodealer.verify.report_text import LIMITS, SOUND, lines_of
from nodealer.verify.report_words import CODES, printable
from nodealer.verify.story import Told, entry_sentences, sentences_of, story
from nodealer.verify.transcript import (
    TRANSCRIPT_BYTES_MAX,
    Transcript,
    read_transcript,
    transcript_of,
    write_transcript,
)
from nodealer.verify.unknown_state import NoState

__all__ = [
    "CHECKS",
    "CODES",
    "LIMITS",
    "NOTHING_EXPECTED",
    "SOUND",
    "TRANSCRIPT_BYTES_MAX",
    "Check",
    "Count",
    "Expected",
    "Failure",
    "ForkedFile",
    "JudgedFile",
    "NoState",
    "ProvenCounts",
    "Report",
    "Told",
    "Transcript",
    "Verdict",
    "compare_all",
    "entry_sentences",
    "exported",
    "gist_of",
    "joined",
    "judge_bytes",
    "judged_by",
    "lines_of",
    "printable",
    "proven_counts",
    "read_transcript",
    "report_data",
    "sentences_of",
    "story",
    "transcript_of",
    "unreadable",
    "write_transcript",
]
