"""Passages, statements that they bear out, and ones that they do not, in several languages."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A passage with a question, faithful statements, and statements that it does not bear out."""

    language: str
    question: str
    passage: str
    faithful: tuple[str, ...]
    false: tuple[str, ...]


CASES = (
    Case(
        "en",
        "What do the plans cost?",
        "Plan A costs 12 euros a month. Plan B costs 20 euros a month.",
        (
            "Plan A costs 12 euros a month.",
            "Plan B costs 20 euros per month.",
            "Plan A is 12 € a month and plan B is 20 € a month.",
        ),
        (
            "Plan A costs 20 euros a month.",
            "Plan B costs 12 euros a month.",
            "Plan A costs 12 dollars a month.",
            "Plan A costs 12 euros a week.",
            "Plan A does not cost 12 euros a month.",
            "Plan C costs 12 euros a month.",
        ),
    ),
    Case(
        "en",
        "How long do opening and closing take?",
        "Opening took 12 minutes. Closing took 20 minutes.",
        ("Opening took 12 minutes and closing 20 minutes.", "Closing took 20 min."),
        (
            "Opening took 20 minutes and closing 12 minutes.",
            "Closing took 12 minutes.",
            "Opening took 12 hours.",
            "Opening took 13 minutes.",
            "Opening never took 12 minutes.",
        ),
    ),
    Case(
        "en",
        "What do tickets cost?",
        "Tickets cost 12 euros for adults and 8 euros for children. Dogs may not enter.",
        (
            "Tickets for children cost 8 euros.",
            "Adults pay 12 euros for tickets.",
            "Tickets cost 12 euros for adults and 8 euros for children.",
            "Dogs may not enter.",
        ),
        (
            "Tickets for children cost 12 euros.",
            "Adults pay 8 euros for tickets.",
            "Adults pay 12 pounds for tickets.",
            "Dogs may enter.",
        ),
    ),
    Case(
        "en",
        "How did revenue develop?",
        "Revenue was 5 million in 2020 and 7 million in 2021.",
        (
            "Revenue in 2021 was 7 million.",
            "In 2020 revenue was 5,000,000.",
            "Revenue rose from 5 million in 2020 to 7 million in 2021.",
        ),
        (
            "Revenue in 2021 was 5 million.",
            "Revenue in 2022 was 7 million.",
            "Revenue was 7 billion in 2021.",
            "Revenue was not 5 million in 2020.",
        ),
    ),
    Case(
        "en",
        "When was the lighthouse built?",
        "The lighthouse was built in 1873. Its light reaches 21 nautical miles.",
        (
            "The lighthouse was built in 1873.",
            "The light of the lighthouse reaches 21 nautical miles.",
            "The lighthouse dates from 1873.",
            "It was built in 1873 and its light reaches 21 nautical miles.",
        ),
        (
            "The lighthouse was built in 1837.",
            "The lighthouse was not built in 1873.",
            "Smith built the lighthouse in 1873.",
            "The lighthouse was built by Jane Smith in 1873.",
            "The lighthouse was built in Norway in 1873.",
            "Its light reaches 21 kilometres.",
            "The NASA lighthouse was built in 1873.",
            "The lighthouse was built on 3 May 1873.",
        ),
    ),
    Case(
        "en",
        "What does the warranty cover?",
        "The warranty does not cover batteries, but it covers the screen.",
        ("The warranty covers the screen.", "Batteries are not covered by the warranty."),
        ("The warranty covers batteries.", "The warranty does not cover the screen."),
    ),
    Case(
        "en",
        "When did Anna Müller join?",
        "Dr. Anna Müller joined the firm on 5 March 2021 as managing director.",
        (
            "Anna Müller joined the firm on March 5, 2021.",
            "Müller has been managing director since 2021.",
            "She joined the firm in March 2021.",
            "Anna Müller joined the firm on 2021-03-05.",
        ),
        (
            "Anna Müller joined the firm on 3 May 2021.",
            "Anna Schmidt joined the firm on 5 March 2021.",
            "Müller joined the firm in March 2022.",
            "Anna Müller joined Siemens on 5 March 2021.",
            "Anna Müller never joined the firm.",
        ),
    ),
    Case(
        "en",
        "When does the pump overheat?",
        "The pump may overheat after 40 hours of use. Invoice INV-2054 is due on Friday.",
        (
            "The pump may overheat after 40 hours of use.",
            "After 40 hours of use the pump might overheat.",
            "Invoice INV-2054 is due on Friday.",
        ),
        (
            "The pump overheats after 40 hours of use.",
            "The pump may overheat after 40 minutes of use.",
            "Invoice INV-2045 is due on Friday.",
            "Invoice INV-2054 is due on Monday.",
        ),
    ),
    Case(
        "en",
        "How many people must attend?",
        "At least 5 people must attend. The office is open from Monday to Friday.",
        ("At least five people must attend.", "The office is open from Monday to Friday."),
        (
            "At most 5 people must attend.",
            "The office is open on Sunday.",
            "At least six people must attend.",
        ),
    ),
    Case(
        "en",
        "What does the lamp cost?",
        "| Item | Price (€) |\n|---|---|\n| Lamp | 42.50 |\n| Desk | 120 |",
        ("The lamp costs 42.50 euros.", "The desk costs €120.", "The price of the lamp is €42.5."),
        ("The lamp costs 120 euros.", "The desk costs $120.", "The lamp costs 45.20 euros."),
    ),
    Case(
        "de",
        "Wann endet der Vertrag?",
        "Der Vertrag endet am 31. Dezember 2024. Die Kündigungsfrist beträgt drei Monate.",
        (
            "Der Vertrag endet am 31.12.2024.",
            "Die Kündigungsfrist beträgt 3 Monate.",
            "Das Vertragsende ist der 31. Dezember 2024.",
        ),
        (
            "Der Vertrag endet am 31. Dezember 2025.",
            "Der Vertrag endet nicht am 31. Dezember 2024.",
            "Die Kündigungsfrist beträgt drei Wochen.",
            "Die Kündigungsfrist beträgt 4 Monate.",
            "Der Vertrag mit der Firma Krause Bau endet am 31. Dezember 2024.",
        ),
    ),
    Case(
        "de",
        "Wann ist das Museum geschlossen?",
        "Das Museum ist montags geschlossen. Dienstags öffnet es um 10 Uhr.",
        ("Montags ist das Museum geschlossen.", "Dienstags öffnet das Museum um 10 Uhr."),
        (
            "Mittwochs ist das Museum geschlossen.",
            "Das Museum ist montags nicht geschlossen.",
            "Dienstags öffnet das Museum um 11 Uhr.",
            "Das Museum in Hamburg ist montags geschlossen.",
        ),
    ),
    Case(
        "fr",
        "Quand le pont a-t-il été construit ?",
        "Le pont a été construit en 1889 par Gustave Eiffel. Il mesure 330 mètres.",
        (
            "Le pont a été construit en 1889.",
            "Le pont, construit par Gustave Eiffel, date de 1889.",
            "Le pont mesure 330 m.",
        ),
        (
            "Le pont a été construit en 1898.",
            "Le pont mesure 330 kilomètres.",
            "Le pont n'a pas été construit en 1889.",
            "Le pont a été construit par Victor Hugo.",
        ),
    ),
    Case(
        "es",
        "¿Cuál es el plazo de entrega?",
        "El plazo de entrega es de cinco días. Los envíos no son gratuitos.",
        ("El plazo de entrega es de 5 días.", "Los envíos no son gratuitos."),
        (
            "El plazo de entrega es de 6 días.",
            "El plazo de entrega es de cinco horas.",
            "Los envíos son gratuitos.",
        ),
    ),
    Case(
        "pt",
        "O que a garantia cobre?",
        "O prazo é de 10 dias. A garantia não cobre baterias.",
        ("A garantia não cobre baterias.", "O prazo é de 10 dias."),
        ("A garantia cobre baterias.", "O prazo é de 10 semanas."),
    ),
    Case(
        "it",
        "Quando è aperto il museo?",
        "Il museo è aperto dalle 9:00 alle 18:00. Non è aperto il lunedì.",
        ("Il museo è aperto dalle 9:00 alle 18:00.", "Il lunedì il museo non è aperto."),
        ("Il museo è aperto il martedì.", "Il museo è aperto dalle 9:30 alle 18:00."),
    ),
    Case(
        "zh",
        "借书期限是多少天？",
        "图书馆周一不开放。借书期限为30天。",
        ("借书期限为30天。", "图书馆周一不开放。"),
        ("图书馆周一开放。", "借书期限为20天。", "借书期限为30小时。"),
    ),
    Case(
        "en",
        "How are parental leave requests handled?",
        "Employees who have worked for the company for at least 12 months can request up "
        "to 26 weeks of parental leave. Requests must be sent to Human Resources no later "
        "than 8 weeks before the leave begins. During the leave, 80 % of the salary is "
        "paid.",
        (
            (
                "Up to 26 weeks of parental leave are available to employees with at least 12 "
                "months at the company."
            ),
            "Requests have to reach Human Resources at least 8 weeks before the leave starts.",
            "80 percent of the salary is paid during parental leave.",
            "Employees get 80% of their salary while on leave.",
        ),
        (
            "Up to 28 weeks of parental leave are available.",
            "Requests must be sent 26 weeks before the leave begins.",
            "During the leave 80 % of the salary is not paid.",
            "Requests must be sent to the Ministry of Labour.",
            "Employees with at most 12 months can request leave.",
        ),
    ),
    Case(
        "en",
        "What did the study find?",
        "In a trial with 412 patients, the new drug lowered blood pressure by 9 mmHg, "
        "compared with 3 mmHg under placebo. Side effects were mild and included headache "
        "and nausea. No deaths occurred.",
        (
            "The new drug reduced blood pressure by 9 mmHg, versus 3 mmHg with placebo.",
            "412 patients took part in the trial.",
            "Headache and nausea were among the mild side effects.",
            "There were no deaths.",
        ),
        (
            "The new drug lowered blood pressure by 3 mmHg.",
            "214 patients took part in the trial.",
            "Deaths occurred.",
            "Side effects were not mild.",
            "The Pfizer drug lowered blood pressure by 9 mmHg.",
        ),
    ),
    Case(
        "en",
        "How do I reset the router?",
        "To reset the router, press and hold the button on the back for ten seconds until "
        "the red light blinks. Do not unplug it while it restarts, which takes about two "
        "minutes.",
        (
            (
                "Hold down the button on the back of the router for 10 seconds until the red "
                "light blinks."
            ),
            "The router must not be unplugged while restarting.",
            "Restarting takes around 2 minutes.",
        ),
        (
            "Hold the button for twenty seconds.",
            "Unplug it while it restarts.",
            "Hold the button for ten minutes.",
            "Restarting takes about ten seconds.",
        ),
    ),
    Case(
        "en",
        "Who led the expedition?",
        "The expedition was led by Fridtjof Nansen, who left Oslo in June 1893 aboard the "
        "Fram. The ship returned in August 1896 without having reached the North Pole.",
        (
            "Fridtjof Nansen led the expedition.",
            "Nansen set out from Oslo in June 1893 on the Fram.",
            "The Fram came back in August 1896 without reaching the North Pole.",
        ),
        (
            "Roald Amundsen led the expedition.",
            "Nansen left Oslo in August 1896.",
            "Nansen left Bergen in June 1893.",
            "The ship reached the North Pole.",
            "The ship returned in June 1893.",
        ),
    ),
    Case(
        "de",
        "Was kostet die Mitgliedschaft?",
        "Die Mitgliedschaft kostet 25 Euro pro Monat. Für Studierende ermäßigt sich der "
        "Beitrag auf 15 Euro. Eine Kündigung ist jederzeit zum Monatsende möglich.",
        (
            "Die Mitgliedschaft kostet monatlich 25 Euro.",
            "Studierende zahlen 15 Euro.",
            "Man kann jederzeit zum Monatsende kündigen.",
            "Der ermäßigte Beitrag für Studierende beträgt 15 €.",
        ),
        (
            "Die Mitgliedschaft kostet 15 Euro pro Monat.",
            "Studierende zahlen 25 Euro.",
            "Die Mitgliedschaft kostet 25 Euro pro Jahr.",
            "Eine Kündigung ist nicht möglich.",
            "Studierende zahlen 10 Euro.",
        ),
    ),
    Case(
        "de",
        "Wer hat die Brücke geplant?",
        "Die Brücke wurde von dem Ingenieur Fritz Leonhardt geplant und 1979 eröffnet. Sie "
        "ist 910 Meter lang und darf von Lastwagen über 30 Tonnen nicht befahren werden.",
        (
            "Fritz Leonhardt plante die Brücke.",
            "Die Brücke wurde 1979 eröffnet.",
            "Lastwagen über 30 Tonnen dürfen die Brücke nicht befahren.",
            "Die Länge der Brücke beträgt 910 m.",
        ),
        (
            "Karl Schmidt plante die Brücke.",
            "Die Brücke wurde 1997 eröffnet.",
            "Lastwagen über 30 Tonnen dürfen die Brücke befahren.",
            "Die Brücke ist 910 Kilometer lang.",
            "Die Brücke ist 30 Meter lang.",
        ),
    ),
    Case(
        "fr",
        "Quels sont les horaires ?",
        "La bibliothèque est ouverte du mardi au samedi de 9 h à 18 h. L'inscription est "
        "gratuite pour les moins de 18 ans et coûte 12 euros par an pour les adultes.",
        (
            "La bibliothèque ouvre du mardi au samedi de 9 h à 18 h.",
            "L'inscription coûte 12 € par an pour les adultes.",
            "Les moins de 18 ans s'inscrivent gratuitement.",
        ),
        (
            "La bibliothèque est ouverte le dimanche.",
            "L'inscription coûte 18 euros par an pour les adultes.",
            "L'inscription coûte 12 euros par mois pour les adultes.",
            "L'inscription n'est pas gratuite pour les moins de 18 ans.",
        ),
    ),
    Case(
        "es",
        "¿Cuándo se fundó la empresa?",
        "La empresa fue fundada en 1987 por María López en Valencia. Hoy emplea a 350 "
        "personas y no cotiza en bolsa.",
        (
            "María López fundó la empresa en 1987 en Valencia.",
            "La empresa emplea hoy a 350 personas.",
            "La empresa no cotiza en bolsa.",
        ),
        (
            "Juan Pérez fundó la empresa.",
            "La empresa cotiza en bolsa.",
            "La empresa emplea a 530 personas.",
            "La empresa fue fundada en 1978.",
            "La empresa fue fundada en Madrid.",
        ),
    ),
)
